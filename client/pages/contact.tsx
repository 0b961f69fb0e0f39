import { useEffect } from 'react'
import { ContactForm } from '../components/contact-form.tsx'
import { FirmFacts } from '../components/firm-facts.tsx'
import { Hero } from '../components/hero.tsx'
import { Queries } from '../queries.tsx'
import { useSite } from '../site.tsx'
import type { ViewProps } from '../views.ts'

export function Contact({ answer }: ViewProps) {
  const { contact } = useSite().texts

  // It opens at the top, also when it is loaded again.
  useEffect(() => {
    history.scrollRestoration = 'manual'
    return () => {
      history.scrollRestoration = 'auto'
    }
  }, [])

  return (
    <>
      <Hero headline={contact.headline} intro={contact.intro} />
      <div className="band split contact">
        <section className="stack" aria-labelledby="facts-title">
          <h2 id="facts-title">{contact.facts.title}</h2>
          <FirmFacts />
        </section>
        <Queries>
          <ContactForm answer={answer} />
        </Queries>
      </div>
    </>
  )
}
