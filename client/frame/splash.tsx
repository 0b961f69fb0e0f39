import { useEffect, useRef } from 'react'
import { Mark } from '../components/petals.tsx'

const INTERRUPTIONS = ['keydown', 'click', 'pointerdown', 'wheel', 'touchstart'] as const

/** Covers the rendered page. The style sheet times it, so that it starts at first paint. */
export function Splash({ onEnd }: { onEnd: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const animations = element.current?.getAnimations() ?? []
    Promise.all(animations.map(({ finished }) => finished)).then(onEnd, () => {})
    for (const name of INTERRUPTIONS) window.addEventListener(name, onEnd, { passive: true })
    return () => {
      for (const name of INTERRUPTIONS) window.removeEventListener(name, onEnd)
    }
  }, [onEnd])
  return (
    <div id="splash" className="splash" ref={element} aria-hidden="true">
      <Mark />
    </div>
  )
}
