/** The types of the interface come from its OpenAPI document: no other file may describe them a second time. */
import ts from "typescript";
import { describe, expect, it } from "vitest";

const all = import.meta.glob<string>("/src/**/*.{ts,svelte}", { query: "?raw", import: "default", eager: true });
const isLogic = (path: string): boolean => !path.endsWith(".test.ts") && !path.endsWith("/api/schema.d.ts");
const SCRIPT = /<script[^>]*>([\s\S]*?)<\/script>/;
const scripts = Object.entries(all)
  .filter(([path]) => isLogic(path))
  .map(([path, text]) => [path, path.endsWith(".svelte") ? (SCRIPT.exec(text)?.[1] ?? "") : text] as const);

const parse = (path: string, text: string): ts.SourceFile => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
function* walk(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* walk(child);
}

/** The page's own names of schemas, from `export type Piece = Schemas["PieceInfo"]`. */
const aliases = new Map(
  [...all["/src/lib/api/types.ts"]!.matchAll(/type (\w+) = Schemas\["(\w+)"\];/g)].map(([, name, schema]) => [
    name!,
    schema!,
  ]),
);
/** The text of a type, the same for all ways to write it: without `readonly`, with the schemas' own names. */
function normalise(type: string): string {
  return type
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/components\["schemas"\]\["(\w+)"\]/g, "$1")
    .replace(/\{\s*\[key: string\]: ([^;{}]+);\s*\}/g, "Record<string, $1>")
    .replace(/\breadonly /g, "")
    .replace(/\bReadonly<(Record<string, [^<>]+>)>/g, "$1")
    .replace(/\b[A-Z]\w*\b/g, (name) => aliases.get(name) ?? name)
    .replace(/\s+/g, " ")
    .trim();
}

/** Fields with their types, of an interface or of a type in braces. */
function fieldsOf(node: ts.InterfaceDeclaration | ts.TypeLiteralNode): string[] {
  return node.members.flatMap((member) =>
    ts.isPropertySignature(member) && member.type ? [`${member.name.getText()}: ${normalise(member.type.getText())}`] : [],
  );
}
/** The strings of a union of nothing but strings, in alphabetical order. */
function choicesOf(node: ts.UnionTypeNode): string {
  const isText = (type: ts.TypeNode): boolean => ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal);
  return node.types.every(isText)
    ? node.types
        .map((type) => type.getText())
        .toSorted()
        .join(" | ")
    : "";
}

const nodes = [...walk(parse("schema.d.ts", all["/src/lib/api/schema.d.ts"]!))];
const schemas = new Map(
  nodes
    .filter(ts.isPropertySignature)
    .filter(({ name, type }) => /^[A-Z]/.test(name.getText()) && type && ts.isTypeLiteralNode(type))
    .map(({ name, type }) => [name.getText(), new Set(fieldsOf(type as ts.TypeLiteralNode))]),
);
const choices = new Set(nodes.filter(ts.isUnionTypeNode).map(choicesOf).filter(Boolean));
const tables = new Set(
  nodes
    .filter(ts.isPropertySignature)
    .map(({ type }) => normalise(type?.getText() ?? ""))
    .filter((type) => /^Record<string, \w+\[\]>$/.test(type)),
);

/** What a script describes although the schema does. */
function listDuplicates(path: string, text: string): string[] {
  const found: string[] = [];
  for (const node of walk(parse(path, text))) {
    if (ts.isInterfaceDeclaration(node) && schemas.has(node.name.text)) found.push(node.name.text);
    if (ts.isTypeAliasDeclaration(node) && schemas.has(node.name.text) && aliases.get(node.name.text) !== node.name.text)
      found.push(node.name.text);
    if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) {
      const fields = fieldsOf(node);
      const same = [...schemas].find(([, known]) => fields.length > 1 && fields.every((field) => known.has(field)));
      if (same && fields.length === node.members.length) found.push(`{ ${fields.join("; ")} } is part of ${same[0]}`);
    }
    if (ts.isUnionTypeNode(node) && choices.has(choicesOf(node))) found.push(choicesOf(node));
    if (ts.isTypeReferenceNode(node) && tables.has(normalise(node.getText()))) found.push(node.getText());
  }
  return found.map((each) => `${path}: ${each}`);
}

it("the schema and the scripts are found", () => {
  expect(schemas.size).toBeGreaterThan(60);
  expect(choices).toContain('"estimate" | "proven"');
  expect(tables).toContain("Record<string, PieceInfo[]>");
  expect(scripts.length).toBeGreaterThan(100);
});

describe("a hand-written type of the interface is found", () => {
  it.each([
    ["by its name", "interface UserView {}"],
    ["by its fields", "type Line = { readonly moves: readonly string[]; spec: string };"],
    ["by its choices", 'let kind: "ring" | "disc" | "stone" | "checker";'],
    ["in a table", "let pieces: Readonly<Record<string, readonly Piece[]>>;"],
  ])("%s", (_, text) => {
    expect(listDuplicates("sample.ts", text)).not.toEqual([]);
  });
});

it("no script describes a type of the interface by hand", () => {
  expect(scripts.flatMap(([path, text]) => listDuplicates(path, text))).toEqual([]);
});

it("no script asks for the class of an object", () => {
  expect(scripts.filter(([, text]) => /\binstanceof\b/.test(text)).map(([path]) => path)).toEqual([]);
});
