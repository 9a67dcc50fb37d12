import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = process.env.WHISTLESTOP_SERVER ?? "http://127.0.0.1:8000";

export default defineConfig({
  base: "./", // the server writes into the page where the site begins
  plugins: [svelte()],
  build: { outDir: "dist", target: "es2022", assetsInlineLimit: 0, manifest: "parts.json", reportCompressedSize: true },
  server: { proxy: { "/api": { target: server, ws: true }, "/health": server } },
  test: { include: ["src/**/*.test.ts"], setupFiles: ["vitest.setup.ts"] },
});
