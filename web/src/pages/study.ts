/** The pages for studying, in one file that is loaded with the first of them. */
export { default as Analysis } from "./Analysis.svelte";
export { default as Known } from "./Known.svelte";
export { default as Puzzle } from "./Puzzle.svelte";
export { default as Puzzles } from "./Puzzles.svelte";
export { default as Review } from "./Review.svelte";
