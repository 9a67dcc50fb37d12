/** What the client looks at in a browser as soon as it is loaded. */

import { vi } from "vitest";

vi.stubGlobal("navigator", { language: "en" });
vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });
