import { attempt } from '../attempt.ts'

// Without React, because the first input may come before it.

const INPUTS = ['keydown', 'click', 'wheel', 'touchmove']

/** Finishes all animations of the page, because the splash has some in the hero too. */
export function endSplash(): void {
  attempt(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
}

/** Ends the splash at an input. It covers the page, so a click on it does nothing else. */
export function endSplashAtInput(): void {
  for (const input of INPUTS) addEventListener(input, endSplash, { once: true, passive: true })
  // The visitor pressed a key, clicked or touched before this script ran.
  if (attempt(() => navigator.userActivation.hasBeenActive)) endSplash()
}
