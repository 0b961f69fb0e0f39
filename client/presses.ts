const isOf = (selector: string, { target }: Event) =>
  target instanceof Element && target.closest(selector) !== null

/** A hand that trembles moves a few pixels between two clicks; a browser then counts the second one as a first. */
const DOUBLE_CLICK_MS = 500
const DOUBLE_CLICK_PX = 24

/**
 * Makes one press one act: the second click of a double click and the repeats of a held Enter would reach what the first one
 * has brought. Space acts only when it is released. Keeps the keys of the whole page from a composition and from shortcuts.
 */
export function filterPresses(): void {
  const stop = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  let last: MouseEvent | undefined
  const isSecond = (event: MouseEvent) => {
    const { target, timeStamp, clientX, clientY } = event
    // A phone does not count the taps of a finger.
    const isTap = 'pointerType' in event && event.pointerType === 'touch'
    return (
      last !== undefined &&
      (target !== last.target || isTap) &&
      timeStamp - last.timeStamp < DOUBLE_CLICK_MS &&
      Math.hypot(clientX - last.clientX, clientY - last.clientY) < DOUBLE_CLICK_PX
    )
  }
  const filterClick = (event: MouseEvent) => {
    // A keyboard's click has no detail.
    if (event.detail === 0) return
    const isPress = isOf('a, button, label', event)
    if (isPress && (event.detail > 1 || isSecond(event))) stop(event)
    // Also one beside the controls: it may have ended the splash or closed the menu, which lay over one.
    last = event
  }
  // The first press may have scrolled to a field: the second one would move the focus, select a word or open a list.
  const filterMouseDown = (event: MouseEvent) => {
    if (isSecond(event)) event.preventDefault()
  }
  let pressed: EventTarget | null
  const filterKey = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, altKey, metaKey, shiftKey } = event
    if (!event.repeat) pressed = target
    const isOver = target !== pressed || isOf('a, button, summary, input', event)
    if (event.repeat && key === 'Enter' && isOver) stop(event)
    // Safari tells the key that ends a composition by this code alone.
    const isOther = event.isComposing || event.keyCode === 229
    if (!['F8', 'Escape'].includes(key) && !['F8', 'Escape'].includes(event.code)) return
    if (isOther || ctrlKey || altKey || metaKey || shiftKey) event.stopImmediatePropagation()
  }
  addEventListener('click', filterClick, true)
  addEventListener('mousedown', filterMouseDown, true)
  addEventListener('keydown', filterKey, true)
}
