/** The words of the site's script, which reads them from its own element. */
export const browser = {
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied',
  selected: 'Selected',
  copyCode: 'Copy code',
  copyLink: 'Copy link',
  show: 'Show',
  hide: 'Hide',
  unreachable: 'The stall cannot be reached now. Nothing was changed.',
  deleteNote: 'Delete this note with what you wrote?',
  yourNote: 'Your note',
  unsent: 'Kept on this device, and sent when there is a network:',
  loseUnsent: 'Some notes were not sent yet, and signing out deletes them. Sign out?',
};
