/** The words of the site's script, which reads them from its own element. */
export const browser = {
  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected',
  copyCode: 'Copy code',
  show: 'Show',
  hide: 'Hide',
};
