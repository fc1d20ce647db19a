/** The page for frames of other sites: a board and the moves of a game. It has its own build, without the rest of the page. */
import { mount } from "svelte";
import "../palette.css";
import "../app.css";
import { preferences } from "../lib/state/preferences.svelte";
import { parseEmbedAddress } from "./address";
import Embed from "./Embed.svelte";

const address = parseEmbedAddress(location.pathname, location.search);
preferences.language = address.language ?? preferences.language;
document.documentElement.lang = preferences.language;
if (address.theme) document.documentElement.dataset.theme = address.theme;

mount(Embed, { target: document.getElementById("page")!, props: { address } });
