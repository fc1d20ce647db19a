/** Copying text, also where a page has no access to the clipboard: on plain http. */

/** Copy the text of a field. Returns false where the browser does not allow it: then the text is selected. */
export async function copyText(text: string, field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.focus();
    field.select();
    return copySelection();
  }
}

/** The old way to copy works on plain http in most browsers. */
function copySelection(): boolean {
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  }
}
