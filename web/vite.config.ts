import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vitest/config";

const WORKER = "worker.js";
const EMBED_MODE = "embed";
/** Chunks that only some visitors need: three.js is loaded with the first 3D view. */
const LOADED_LATER = ["SolidRenderer"];

/** Emits the service worker: the list of files that it caches at once and a hash of their contents, then its source. */
function emitServiceWorker(): Plugin {
  let folders = { root: "", publicDir: "" };
  return {
    name: "emit-service-worker",
    apply: "build",
    configResolved: (config) => {
      folders = config;
    },
    generateBundle: {
      order: "post", // the other plugins have added their files
      async handler(_, bundle) {
        const contents = new Map<string, string | Uint8Array>();
        for (const output of Object.values(bundle))
          if (output.type === "asset") contents.set(output.fileName, output.source);
          else if (!LOADED_LATER.includes(output.name)) contents.set(output.fileName, output.code);
        for (const name of await this.fs.readdir(folders.publicDir))
          contents.set(name, await this.fs.readFile(`${folders.publicDir}/${name}`));
        const source = await this.fs.readFile(`${folders.root}/${WORKER}`, { encoding: "utf8" });
        const files = [...contents.keys()].sort();
        const paths = ["/", ...files.filter((name) => name !== "index.html").map((name) => `/${name}`)];
        const version = await hashContents([source, ...files.map((name) => contents.get(name)!)]);
        const constants = `const FILES = ${JSON.stringify(paths)};\nconst VERSION = "${version}";\n`;
        this.emitFile({ type: "asset", fileName: WORKER, source: constants + source });
      },
    },
  };
}

async function hashContents(contents: readonly (string | Uint8Array)[]): Promise<string> {
  const bytes = await new Blob(contents as BlobPart[]).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest.subarray(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Emits the addresses of the page for the server: first segments, and whether a second one must follow. */
function emitRoutes(): Plugin {
  let root = "";
  return {
    name: "emit-routes",
    apply: "build",
    configResolved: (config) => {
      root = config.root;
    },
    async generateBundle() {
      const source = await this.fs.readFile(`${root}/src/routes.ts`, { encoding: "utf8" });
      const routes: Record<string, boolean> = {};
      for (const [, name, rest] of source.matchAll(/\{\s*name: "([^"]*)"([^}]*)\}/g))
        routes[name!] = (routes[name!] ?? true) && rest!.includes("parameter:");
      if (routes[""] !== false || routes.match !== true) this.error("the routes in src/routes.ts cannot be read");
      this.emitFile({ type: "asset", fileName: "routes.json", source: JSON.stringify(routes) });
    },
  };
}

/**
 * The page is built into the Python package, which serves it; everything comes from its own address.
 * The mode "embed" adds the page for frames of other sites, which shares no file with it and is not cached by its service worker.
 */
export default defineConfig(({ mode }) => ({
  plugins: mode === EMBED_MODE ? [svelte()] : [svelte(), emitRoutes(), emitServiceWorker()],
  build: {
    outDir: "../src/ropewalk/server/page",
    emptyOutDir: mode !== EMBED_MODE,
    copyPublicDir: mode !== EMBED_MODE,
    rollupOptions: { input: mode === EMBED_MODE ? "embed.html" : "index.html" },
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
  },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
    fs: { allow: [".."] }, // unit tests read recorded messages of the server
  },
  test: { include: ["src/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
  resolve: mode === "test" ? { conditions: ["browser"] } : {}, // unit tests run in Node with the Svelte of a browser
}));
