/** Runs in the page, so this function must not use anything outside itself. */
export function findLayoutFaults(): string[] {
  /** Distance of the outer points from the edges of a control, so that they are inside its border. */
  const INSET_PX = 3
  const root = document.documentElement
  /** False for large text on a phone, where the links of the open menu may break into two lines. */
  const hasRoom = innerWidth >= 20 * Number.parseFloat(getComputedStyle(root).fontSize)
  const all = [...document.body.querySelectorAll<HTMLElement>(':not(svg *)')]
  const clipped = all.filter((element) => getComputedStyle(element).clipPath !== 'none')
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !clipped.some((each) => each.contains(element))
  const boxes = all.filter(isShown)
  const isOutside = ({ left, right }: DOMRect) => left < -1 || right > root.clientWidth + 1

  function listTextBoxes(element: Element): DOMRect[] {
    const range = document.createRange()
    range.selectNodeContents(element)
    return [...range.getClientRects()].filter(({ width }) => width > 1)
  }
  function listPoints({ left, right, top, bottom }: DOMRect): [x: number, y: number][] {
    const x = (left + right) / 2
    const y = (top + bottom) / 2
    if (bottom - top > innerHeight / 4) return [[x, y]]
    return [
      [x, y],
      [left + INSET_PX, y],
      [right - INSET_PX, y],
      [x, top + INSET_PX],
      [x, bottom - INSET_PX],
    ]
  }
  const isMenuOverPage = (hit: Element, element: Element) =>
    hit.closest('.menu[open], .menu[open] ~ .nav') !== null && !element.closest('.header')
  /** Lists the elements that still cover a control after it is scrolled to the middle of the window. The open menu may cover the page. */
  function listCovers(element: Element): Element[] {
    const find = () =>
      [...element.getClientRects()]
        .flatMap(listPoints)
        .map(([x, y]) => document.elementFromPoint(x, y))
        .filter((hit) => !element.contains(hit))
    if (find().length === 0) return []
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    // A link that is taller than the window still has points outside it.
    return find().filter((hit): hit is Element => hit !== null && !isMenuOverPage(hit, element))
  }
  const outline = (element: Element) =>
    `${element.localName}.${element.className} “${element.textContent.trim().slice(0, 40)}”`
  const faults = [
    root.scrollWidth > root.clientWidth
      ? `the page is ${root.scrollWidth} wide in ${root.clientWidth}`
      : '',
  ]
  for (const element of boxes) {
    const note = (fault: string) => faults.push(`${outline(element)} ${fault}`)
    const { clientWidth, scrollWidth } = element
    if (clientWidth > 0 && scrollWidth > clientWidth + 1)
      note(`overflows: ${scrollWidth} > ${clientWidth}`)
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    )
    if (hasText) {
      const lines = listTextBoxes(element)
      if (lines.some(isOutside)) note('leaves the window')
      const breaks = new Set(lines.map(({ top }) => Math.round(top))).size - 1
      // The name of the firm and, in the menu of a phone, those of the sectors may break.
      const isShort = element.closest('header') && !element.closest('.logo, .nav-sectors')
      if (breaks > 0 && hasRoom && isShort) note('breaks')
    }
    if (!element.matches('a[href], button, input, select, textarea, summary')) continue
    const [cover] = listCovers(element)
    if (cover) note(`is covered by ${outline(cover)}`)
  }
  return faults.filter(Boolean)
}
