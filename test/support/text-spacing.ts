/** Runs in the page: sets the text spacing of WCAG 1.4.12. */
export function spaceText(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
    p { margin-block-end: 2em !important }`)
  document.adoptedStyleSheets = [sheet]
}

/** Runs in the page: removes the text spacing of `spaceText`. */
export function resetText(): void {
  document.adoptedStyleSheets = []
}
