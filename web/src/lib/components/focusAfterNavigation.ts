/** Moves the focus to an element when a page of this application follows another one, whose focused button is gone. */

/** Focus an element unless something on the page has the focus; for `use:` on the heading of a page. */
export function focusAfterNavigation(element: HTMLElement): void {
  if (document.activeElement?.id === "content") element.focus({ preventScroll: true });
}
