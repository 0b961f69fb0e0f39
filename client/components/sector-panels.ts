import type { Sector } from '../../shared/constants.ts'
import type { Panel } from './petals.tsx'

/** Each sector has its own picture: arches, flowers, a stair, and one large petal. */
export const SECTOR_PANELS: Record<Sector, Panel> = {
  'public-safety': { cells: ['dDdDdD', 'dDlLdD', 'oOoOoO', 'dDdDdD'] },
  'francophone-services': { cells: ['DdLlDd', 'dDlLdD', 'OoDdOo', 'oOdDoO'] },
  'health-safety': { cells: ['ooold', 'ooldd', 'olddd', 'ldddd'] },
  'animal-first-aid': { cells: ['.dD.o', 'd..D.', '....O', 'o..d.'], large: ['l11'] },
}
