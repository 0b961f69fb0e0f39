const isOf = (selector: string, { target }: Event) =>
  target instanceof Element && target.closest(selector) !== null

/**
 * Makes one press one act: the second click of a double click and the repeats of a held Enter would reach what the first one
 * has brought. Space acts only when it is released. Keeps the keys of the whole page from a composition and from shortcuts.
 */
export function filterPresses(): void {
  const stop = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const filterClick = (event: MouseEvent) => {
    if (event.detail > 1 && isOf('a, button', event)) stop(event)
  }
  const filterKey = (event: KeyboardEvent) => {
    const { code, key, ctrlKey, altKey, metaKey, shiftKey } = event
    if (event.repeat && key === 'Enter' && isOf('a, button, summary, input', event)) stop(event)
    // Safari tells the key that ends a composition by this code alone.
    const isOther = event.isComposing || event.keyCode === 229
    if (!['F8', 'Escape'].includes(code)) return
    if (isOther || ctrlKey || altKey || metaKey || shiftKey) event.stopImmediatePropagation()
  }
  addEventListener('click', filterClick, true)
  addEventListener('keydown', filterKey, true)
}
