import { useEffect, useEffectEvent, useRef } from 'react'
import type { Brand } from '../../shared/content/index.ts'
import { attempt } from '../attempt.ts'
import { Mark } from '../components/petals.tsx'

const INPUTS = ['keydown', 'click', 'wheel', 'touchmove']

/** Finishes all animations of the page, because the splash has some in the hero too. */
export function endSplash(): void {
  attempt(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
}

/** Covers the page, except the hero's panel, until the animation of styles/splash.css ends, or at the first input. */
export function Splash({ brand, onEnd }: { brand: Brand; onEnd: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    const ends = attempt(() => element.current?.getAnimations().map(({ finished }) => finished))
    Promise.allSettled(ends ?? []).then(() => end())
    for (const input of INPUTS) addEventListener(input, endSplash, { passive: true })
    // The visitor pressed a key, clicked or touched before the hydration.
    if (attempt(() => navigator.userActivation.hasBeenActive)) endSplash()
    return () => {
      for (const input of INPUTS) removeEventListener(input, endSplash)
    }
  }, [])
  // React removes the outer element: blockers of overlays may already have removed the inner one.
  return (
    <div className="splash-frame">
      <div id="splash" className="splash" ref={element} aria-hidden="true">
        <Mark />
        <span>{brand.name}</span>
        <small>{brand.trade}</small>
      </div>
    </div>
  )
}
