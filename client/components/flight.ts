/** Width of the fallen petal's drawing, in units of its panel's drawing, where a petal is 100 wide. */
const DRAWN = 134
const FLIGHT_MS = 320

function findCentre(element: Element) {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x: x + width / 2, y: y + height / 2, width }
}

/** Lets the petal of the page for an unknown address fly into its gap in the panel. Rejects in a browser that cannot. */
export async function flyHome(petal: HTMLElement): Promise<void> {
  const gap = document.querySelector('.gap')
  if (!gap || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const from = findCentre(petal)
  const to = findCentre(gap)
  // In English, the panel is mirrored on wide screens.
  const isMirrored = getComputedStyle(gap.closest('svg') ?? gap).scale !== 'none'
  const transform = [
    `translate(${to.x - from.x}px, ${to.y - from.y}px)`,
    `rotate(${isMirrored ? 25 : -65}deg)`,
    `scale(${((to.width / from.width) * DRAWN) / 100})`,
  ].join(' ')
  const options = { duration: FLIGHT_MS, easing: 'ease', fill: 'forwards' } as const
  await petal.animate({ transform }, options).finished
}
