import { useEffect, useEffectEvent, useRef } from 'react'
import type { Brand } from '../../shared/content/index.ts'
import { attempt } from '../attempt.ts'
import { Mark } from '../components/petals.tsx'
import { findAnimations } from './end-splash.ts'

/** Covers the page, except the hero's panel, until the animation of splash.css ends; end-splash.ts ends it at the first
 * input. */
export function Splash({ brand, onEnd }: { brand: Brand; onEnd: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    const ends = attempt(() => findAnimations(element.current).map(({ finished }) => finished))
    Promise.allSettled(ends ?? []).then(() => end())
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
