import type { Sector } from '../../shared/sectors.ts'

/** The body of a sheet: a grid, two columns of text, boxes to tick, bars over time, lines above a seal, a curve below a limit,
 * or the four parts of a printed page. */
const BODIES = {
  register: 'M12 60H108M12 76H108M12 92H108M12 108H108M12 124H108M12 140H108M42 60V140M78 60V140',
  booklet:
    'M12 62H50M12 74H46M12 86H50M12 104H48M12 116H50M12 128H40M70 62H108M70 74H104M70 86H98M70 104H108M70 116H102M70 128H108',
  procedure:
    'M12 60h10v10h-10ZM12 82h10v10h-10ZM12 104h10v10h-10ZM12 126h10v10h-10ZM34 65H106M34 87H92M34 109H102M34 131H82',
  plan: 'M12 56V142H108M22 66h34v6h-34ZM40 84h38v6h-38ZM60 102h28v6h-28ZM82 120h24v6h-24Z',
  certificate:
    'M24 64H96M34 78H86M24 92H96M14 132H56M84 106a13 13 0 1 1 -.1 0ZM77 130v16l7-5 7 5V130',
  measurements: 'M12 56V142H108M12 76H108M22 126L44 104L62 114L82 90L104 96',
  print:
    'M12 64H38M12 76H50M12 86H46M70 64H94M70 76H108M70 86H100M12 106H44M12 118H50M12 128H40M70 106H98M70 118H108M70 128H104',
}
type Kind = keyof typeof BODIES

/** The kind of document to draw for each offering of a sector, and for each service, in the order of the content. More items begin again. */
const SHEETS: Record<Sector | 'services', Kind[]> = {
  'public-safety': ['register', 'booklet', 'procedure', 'plan'],
  'francophone-services': ['procedure', 'booklet', 'register', 'plan'],
  'health-safety': ['register', 'certificate', 'procedure', 'plan', 'booklet', 'measurements'],
  'animal-first-aid': ['procedure', 'booklet', 'register', 'plan'],
  services: ['register', 'plan', 'procedure'],
}

interface DeliverablesProps {
  label: string
  items: string[]
  page: keyof typeof SHEETS
  index: number
}

/** The deliverables of an offering or a service, with one of them drawn. */
export function Deliverables({ label, items, page, index }: DeliverablesProps) {
  return (
    <div className="deliverables">
      <p className="eyebrow">{label}</p>
      <ul className="features">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      <Sheet page={page} index={index % SHEETS[page].length} />
    </div>
  )
}

/** A deliverable or, without `index`, the printed page: a sign, a title on both sides of a seam, and a body. No words. */
export function Sheet({ page, index }: { page: keyof typeof SHEETS; index?: number }) {
  const kind = index === undefined ? 'print' : SHEETS[page][index]
  const sign = page === 'services' ? 'petal-rises' : `sign-${page}`
  return (
    kind && (
      <svg className="sheet" viewBox="-1 -1 122 157" aria-hidden="true">
        <path className="paper" d="M0 0H92A28 28 0 0 1 120 28V155H0Z" />
        <use href={`#${sign}`} x="12" y="12" width="22" height="22" />
        <path stroke="currentColor" strokeWidth="5" d="M12 46H52M68 46H108" />
        <path className="seam" strokeWidth="3" d="M60 40V52" />
        <path fill="none" stroke="currentColor" strokeWidth="2.5" opacity="0.45" d={BODIES[kind]} />
      </svg>
    )
  )
}
