import { useEffect, useRef } from 'react'
import { Mark } from '../components/petals.tsx'

const INTERRUPTIONS = ['keydown', 'click', 'pointerdown', 'wheel', 'touchstart'] as const

/** Lies over the rendered page; its time is kept by the style sheet, so that it starts at first paint. */
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
