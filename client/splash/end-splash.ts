import { attempt } from '../attempt.ts'

// Without React, because the first input may come before it.

const INPUTS = ['keydown', 'click', 'wheel', 'touchmove']

/** The animations of splash.css, in the hero too. An extension may have added others, which may be endless. */
export const findAnimations = (root: Document | Element | null) =>
  root
    ?.getAnimations()
    .filter((each) => 'animationName' in each && /^splash-/.test(`${each.animationName}`)) ?? []

export function endSplash(): void {
  const animations = attempt(() => findAnimations(document)) ?? []
  for (const animation of animations) attempt(() => animation.finish())
}

/** Ends the splash at an input. It covers the page, so a click on it does nothing else. */
export function endSplashAtInput(): void {
  for (const input of INPUTS) addEventListener(input, endSplash, { once: true, passive: true })
  // The visitor pressed a key, clicked or touched before this script ran.
  if (attempt(() => navigator.userActivation.hasBeenActive)) endSplash()
}
