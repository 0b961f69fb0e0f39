const isOf = (selector: string, { target }: Event) =>
  target instanceof Element && target.closest(selector) !== null

function stop(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/**
 * Makes one press one act: the second click of a double click and the repeats of a held Enter would reach what the first one
 * has brought. Space acts only when it is released.
 */
export function ignoreRepeats(): void {
  const onClick = (event: MouseEvent) => {
    if (event.detail > 1 && isOf('a, button', event)) stop(event)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.repeat && event.key === 'Enter' && isOf('a, button, summary, input', event))
      stop(event)
  }
  addEventListener('click', onClick, true)
  addEventListener('keydown', onKey, true)
}
