const getSplash = () => document.getElementById('splash')

/**
 * When a translation or an extension changed the document before hydration, React renders it again. The returned
 * function copies the typed text, the focus and the splash's start time from the old elements to the new.
 */
export function prepareCarryOver(): () => void {
  const fields = [...document.querySelectorAll<HTMLInputElement>('.field [id][name]')]
  const { activeElement } = document
  const startTime = getSplash()?.getAnimations()[0]?.startTime
  return () => {
    for (const old of fields.splice(0)) {
      const field = document.querySelector<HTMLInputElement>(`#${old.id}`)
      if (!field) continue
      field.value = old.value
      if (old === activeElement) field.focus({ preventScroll: true })
    }
    const leaving = getSplash()?.getAnimations()[0]
    if (leaving && startTime) leaving.startTime = startTime
  }
}
