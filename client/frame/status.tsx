const ID = 'status'

/** A screen reader says each text that `announce` puts here. React renders none, so it leaves the text alone. */
export const Status = () => <p className="visually-hidden" role="status" id={ID} />

export function announce(text: string): void {
  const status = document.getElementById(ID)
  if (status) status.textContent = text
}
