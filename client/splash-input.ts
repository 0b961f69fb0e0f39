import { attempt } from './attempt.ts'

const INPUTS = ['keydown', 'click', 'wheel', 'touchmove']

const isSplashShown = () => {
  const splash = document.getElementById('splash')
  return splash && getComputedStyle(splash).visibility === 'visible'
}

/** Finishes all animations of the page, because the splash has some in the hero too. */
function endSplash(): void {
  const root = document.getElementById('root')
  for (const animation of root?.getAnimations({ subtree: true }) ?? []) animation.finish()
}

/** Ends the splash at the first input. A click on it does nothing else. */
export function endSplashAtInput(): void {
  const end = (event: Event) => {
    for (const name of INPUTS) removeEventListener(name, end, true)
    if (!isSplashShown()) return
    attempt(endSplash)
    if (event.type !== 'click') return
    event.preventDefault()
    event.stopPropagation()
  }
  for (const name of INPUTS)
    addEventListener(name, end, { capture: true, passive: name !== 'click' })
  // The visitor pressed a key, clicked or touched before this script ran.
  if (navigator.userActivation?.hasBeenActive) endSplash()
}
