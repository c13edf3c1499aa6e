/** A contact as its publisher wrote it: a link if it is an address, else text. */
export function ContactLink({ contact }: { contact: string }) {
  if (/^https:\/\/\S+$/i.test(contact)) return <a href={contact}>{contact.slice('https://'.length)}</a>;
  if (/^[^\s@<>"(),:;?&]+@[^\s@<>"(),:;?&]+$/.test(contact))
    return <a href={`mailto:${contact}`}>{contact}</a>;
  return <>{contact}</>;
}
