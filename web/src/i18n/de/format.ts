import { createFormat } from "../format";

export const format = createFormat("de");
