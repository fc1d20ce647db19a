import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Rolldown } from "vite";
import { defineConfig, type Plugin } from "vitest/config";

type OutputBundle = Rolldown.OutputBundle;

const WORKER = "worker.js";
const EMBED_MODE = "embed";
/** Chunks that only some visitors need: three.js is loaded with the first 3D view. */
const LOADED_LATER = ["SolidRenderer"];
/** Modules that several pages share, in few files: a request costs more than the bytes that a page does not need. */
const CHUNK_GROUPS = [
  { name: "page", tags: ["$initial" as const], priority: 3 }, // what every visitor gets
  {
    name: "table",
    test: /src\/lib\/(play\/|match\/timelineStore|components\/(MatchLayout|StepButtons|RulesDialog))/,
    priority: 2,
  },
  { name: "study", test: /src\/lib\/(analysis\/|explorer\/|components\/(AnalysisPanel|VariationList))/, priority: 1 },
];
const LICENCES = "licences.txt";
const LICENCES_HEAD = `Licences of the packages of others that this page contains.

`;

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

/** Returns the files of a chunk: itself, the chunks that it imports, and their style sheets. */
function listFiles(bundle: OutputBundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name];
  if (chunk?.type !== "chunk" || found.has(name)) return found;
  found.add(name);
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(sheet);
  for (const each of chunk.imports) listFiles(bundle, each, found);
  return found;
}

/** Emits the addresses of the page for the server: first segments, whether a second one must follow, and files to preload. */
function emitRoutes(): Plugin {
  let root = "";
  return {
    name: "emit-routes",
    apply: "build",
    configResolved: (config) => {
      root = config.root;
    },
    generateBundle: {
      order: "post", // the style sheets are known
      async handler(_, bundle) {
        const source = await this.fs.readFile(`${root}/src/routes.ts`, { encoding: "utf8" });
        const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
        const initial = listFiles(bundle, chunks.find(({ isEntry }) => isEntry)!.fileName);
        const routes = [...source.matchAll(/\{\s*name: "([^"]*)"([^}]*)\}/g)].map(([, name, rest]) => {
          const module = rest!.match(/import\("\.(\/pages\/\w+\.svelte)"\)/)?.[1];
          const chunk = module && chunks.find(({ facadeModuleId }) => facadeModuleId === `${root}/src${module}`);
          if (module && !chunk) this.error(`${module} has no chunk of its own`);
          const files = chunk ? [...listFiles(bundle, chunk.fileName)].filter((each) => !initial.has(each)) : [];
          return { name, requires_argument: rest!.includes("parameter:"), preload: files.map((each) => `/${each}`) };
        });
        if (!routes.some(({ name, preload }) => name === "match" && preload.length))
          this.error("the routes in src/routes.ts cannot be read");
        this.emitFile({ type: "asset", fileName: "routes.json", source: JSON.stringify(routes) });
      },
    },
  };
}

/** Returns the package of a module; helpers that the build itself adds belong to Vite and Rolldown. */
function packageOf(module: string): string | undefined {
  if (/^\0(vite|rolldown)/.test(module)) return module.startsWith("\0vite") ? "vite" : "rolldown";
  return module.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1];
}

/**
 * Emits the licences of the packages whose code is in the bundle. In the mode "embed", whose files are added to the page, it
 * checks that the file has the licences of its packages too.
 */
function emitLicences(isEmbed: boolean): Plugin {
  let folders = { root: "", build: { outDir: "" } };
  return {
    name: "emit-licences",
    apply: "build",
    configResolved: (config) => {
      folders = config;
    },
    generateBundle: {
      order: "post", // after the service worker, which does not cache this file
      async handler(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
        const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
        const names = [...new Set(modules.map(packageOf).filter((name) => name !== undefined))].sort();
        if (isEmbed) {
          const path = `${folders.root}/${folders.build.outDir}/${LICENCES}`;
          const text = await this.fs.readFile(path, { encoding: "utf8" });
          for (const name of names) if (!text.includes(`\n${name} `)) this.error(`${LICENCES} lacks ${name}`);
          return;
        }
        const texts: string[] = [];
        for (const name of names) {
          const folder = `${folders.root}/node_modules/${name}`;
          const { version } = JSON.parse(await this.fs.readFile(`${folder}/package.json`, { encoding: "utf8" }));
          const file = (await this.fs.readdir(folder)).find((each) => /^licen[cs]e(\.|$)/i.test(each));
          if (!file) this.error(`${name} has no licence file`);
          const text = await this.fs.readFile(`${folder}/${file}`, { encoding: "utf8" });
          const own = text.split(/^# Licenses of bundled dependencies/m)[0]!; // the page contains none of those of Vite
          texts.push(`${"=".repeat(80)}\n${name} ${version}\n${"=".repeat(80)}\n\n${own.trim()}\n`);
        }
        this.emitFile({ type: "asset", fileName: LICENCES, source: LICENCES_HEAD + texts.join("\n") });
      },
    },
  };
}

/**
 * The page is built into the Python package, which serves it; everything comes from its own address.
 * The mode "embed" adds the page for frames of other sites, which shares no file with it and is not cached by its service worker.
 */
export default defineConfig(({ mode }) => ({
  plugins:
    mode === EMBED_MODE
      ? [svelte(), emitLicences(true)]
      : [svelte(), emitRoutes(), emitServiceWorker(), emitLicences(false)],
  build: {
    outDir: "../src/ropewalk/server/page",
    emptyOutDir: mode !== EMBED_MODE,
    copyPublicDir: mode !== EMBED_MODE,
    rolldownOptions: {
      input: mode === EMBED_MODE ? "embed.html" : "index.html",
      output: mode === EMBED_MODE ? {} : { codeSplitting: { groups: CHUNK_GROUPS } },
    },
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
