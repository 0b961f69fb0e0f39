const ONE_YEAR_S = 365 * 24 * 60 * 60

/** For the Set-Cookie header and for document.cookie. */
export function writeCookie(name: string, value: string, secure: boolean): string {
  return `${name}=${value}; Max-Age=${ONE_YEAR_S}; Path=/; SameSite=Lax${secure ? '; Secure' : ''}`
}
