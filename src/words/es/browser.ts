import type { Words } from '../words.ts';

export const browser: Words['browser'] = {
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'No copiado',
  selected: 'Seleccionado',
  copyCode: 'Copiar código',
  copyLink: 'Copiar enlace',
  show: 'Mostrar',
  hide: 'Ocultar',
  unreachable: 'No se puede conectar con la tienda en este momento. No se ha cambiado nada.',
  deleteNote: '¿Eliminar esta nota y lo que escribió en ella?',
  yourNote: 'Su nota',
  unsent: 'Guardado en este dispositivo; se enviará cuando haya conexión:',
  loseUnsent: 'Algunas notas aún no se han enviado y se eliminarán al cerrar sesión. ¿Cerrar sesión?',
};
