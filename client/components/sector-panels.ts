import type { Sector } from '../../shared/constants.ts'
import type { Panel } from './petals.tsx'

/** Arches, flowers, a stair and one large petal: each sector is known by its panel. */
export const SECTOR_PANELS: Record<Sector, Panel> = {
  'public-safety': { cells: ['dDdDdD', 'dDlLdD', 'oOoOoO', 'dDdDdD'] },
  'francophone-services': { cells: ['DdLlDd', 'dDlLdD', 'OoDdOo', 'oOdDoO'] },
  'health-safety': { cells: ['ooold', 'ooldd', 'olddd', 'ldddd'] },
  'animal-first-aid': { cells: ['.dD.o', 'd..D.', '....O', 'o..d.'], large: ['l11'] },
}
