const ID = 'status'

/** A screen reader says each text that `announce` puts here. React renders none, so it leaves the text alone. */
export const Status = () => <p className="visually-hidden" role="status" id={ID} />

/** With other classes, the text can also be seen. */
export function announce(textContent: string, className = 'visually-hidden'): void {
  const status = document.getElementById(ID)
  if (status) Object.assign(status, { textContent, className })
}
