/** To the clipboard, and say so. */

import { t } from "../lib/texts.svelte";
import { complain, note } from "./toasts.svelte";

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    note(t("end.copied"));
  } catch (reason) {
    complain(reason); // pages without https have no clipboard
  }
}
