import type { ReactNode } from 'react'
import type { Sector } from '../../shared/constants.ts'
import { PetalPanel } from './petals.tsx'

interface HeroProps {
  eyebrow?: string
  headline: string
  intro?: string
  sector?: Sector
  /** The height of the panel beside the words, in petals. */
  rows?: number
  error?: boolean
  children?: ReactNode
}

/** The head of every page: the petal panel on one side, the words on the other. */
export function Hero({ eyebrow, headline, intro, sector, rows = 4, error, children }: HeroProps) {
  return (
    <section className="hero" data-sector={sector}>
      <PetalPanel sector={sector} rows={rows} error={error} />
      <div className="hero-words">
        {eyebrow && <p className="eyebrow">{eyebrow}</p>}
        <h1>{headline}</h1>
        {intro && <p className="lead">{intro}</p>}
        {children && <div className="actions">{children}</div>}
      </div>
    </section>
  )
}
