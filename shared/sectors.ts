/** The service that the request button of a sector's page proposes. The order is that of the site. */
export const SERVICE_OF_SECTOR = {
  'public-safety': 'public-safety',
  'francophone-services': 'francophone',
  'health-safety': 'health-safety',
  'animal-first-aid': 'animal-aid',
} as const

export type Sector = keyof typeof SERVICE_OF_SECTOR
export const SECTORS = Object.keys(SERVICE_OF_SECTOR) as Sector[]

export function isSector(value: string): value is Sector {
  return Object.hasOwn(SERVICE_OF_SECTOR, value)
}

/** Values of the contact form's field `service`, which may also be empty. */
export type ServiceId = (typeof SERVICE_OF_SECTOR)[Sector]
export const SERVICE_IDS: readonly ServiceId[] = Object.values(SERVICE_OF_SECTOR)
