import { company } from '../../shared/content/company.ts'
import type { Block } from '../../shared/content/index.ts'
import { fill, fillPlural, getCompanyValues, type Values } from '../../shared/format.ts'
import { REPEAT_HOURS } from '../../shared/retention.ts'
import { Hero } from '../components/hero.tsx'
import { LinkedText } from '../components/linked-text.tsx'
import { useSite } from '../frame/site-provider.tsx'

/** A closed ring. */
const CELLS = ['oDdO', 'DllD']

export function Privacy() {
  const { language, documentState, texts: content } = useSite()
  const texts = content.privacy
  const { years, days, hours } = texts.periods
  const describeDays = (count: number) =>
    count % 365 === 0 ? fillPlural(years, count / 365, language) : fillPlural(days, count, language)
  const values = {
    ...getCompanyValues(company, language),
    retention: describeDays(documentState.retention.retentionDays),
    quarantine: describeDays(documentState.retention.quarantineDays),
    repetition: fillPlural(hours, REPEAT_HOURS, language),
  }
  return (
    <>
      <Hero texts={{ ...texts, intro: fill(texts.intro, values) }} cells={CELLS}>
        <p>{texts.updated}</p>
      </Hero>
      <section className="band tinted split" aria-labelledby="summary">
        <h2 id="summary">{texts.summary.title}</h2>
        <SentenceList items={texts.summary.points} values={values} />
      </section>
      <div className="band">
        <div className="split policy">
          <nav className="contents privacy-contents" aria-labelledby="contents-title">
            <p id="contents-title" className="eyebrow">
              {texts.contentsTitle}
            </p>
            <ol>
              {texts.sections.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ol>
          </nav>
          <div className="privacy-text">
            {texts.sections.map(({ id, title, body }) => (
              <section key={id} id={id}>
                <h2>{title}</h2>
                {body.map((block) => (
                  <TextBlock
                    key={JSON.stringify(block)}
                    title={title}
                    block={block}
                    values={values}
                  />
                ))}
              </section>
            ))}
          </div>
        </div>
      </div>
    </>
  )
}

function SentenceList({ items, values }: { items: string[]; values: Values }) {
  return (
    <ul className="features">
      {items.map((item) => (
        <li key={item}>
          <LinkedText text={fill(item, values)} />
        </li>
      ))}
    </ul>
  )
}

interface TextBlockProps {
  /** The title of the section, which names its table. */
  title: string
  block: Block
  values: Values
}

function TextBlock({ title, block, values }: TextBlockProps) {
  if (typeof block === 'string') {
    return (
      <p>
        <LinkedText text={fill(block, values)} />
      </p>
    )
  }
  if ('list' in block) return <SentenceList items={block.list} values={values} />
  const { head, rows } = block.table
  return (
    <div className="table">
      <table aria-label={title}>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name && fill(name, values)}</th>
              {cells.map((cell, column) => (
                <td key={head[column + 1]} data-label={head[column + 1]}>
                  {fill(cell, values)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
