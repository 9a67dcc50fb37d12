/** What stands around the page. A game takes the whole screen. */
export const frame = $state({ header: true });
