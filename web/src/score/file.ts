/** A real table as a file: written for one's own keeping, and read back as a new table. */

import type { NewRealTable, RealTableData } from "../messages";
import { copyOf } from "./holdings";

/** The file's text: what `POST /api/score` takes, too. */
export const textOf = (data: RealTableData): string => JSON.stringify(copyOf(data), null, 1);

/** A wish to open the table of a file; null for what is none. The server checks what it says. */
export function fileOf(text: string | undefined): NewRealTable | null {
  try {
    const { edition, players } = JSON.parse(text ?? "") as Partial<NewRealTable>;
    return typeof edition === "string" && Array.isArray(players) ? { edition, players } : null;
  } catch {
    return null;
  }
}

/** Let the browser keep something as a file. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A drawing as pixels, which every phone can hand on. */
export async function pixelsOf(address: string, width: number): Promise<Blob> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.round((width * image.naturalHeight) / image.naturalWidth);
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}
