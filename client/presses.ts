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
  let last: PointerEvent | undefined
  // A phone does not count the taps of a finger.
  const isSecond = ({ target, pointerType, timeStamp, clientX, clientY }: PointerEvent) =>
    last !== undefined &&
    (target !== last.target || pointerType === 'touch') &&
    timeStamp - last.timeStamp < DOUBLE_CLICK_MS &&
    Math.hypot(clientX - last.clientX, clientY - last.clientY) < DOUBLE_CLICK_PX
  const filterClick = (event: PointerEvent) => {
    // A keyboard's click has no detail.
    if (event.detail === 0) return
    if (isOf('a, button', event) && (event.detail > 1 || isSecond(event))) stop(event)
    // Also one beside the controls: it may have ended the splash or closed the menu, which lay over one.
    last = event
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
  addEventListener('keydown', filterKey, true)
}
