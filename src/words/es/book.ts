import type { Words } from '../words.ts';

export const book: Words['book'] = {
  code: 'Código',
  table: 'Tabla',
  text: 'Texto',
  formula: 'Fórmula',
  note: 'Nota',
  tip: 'Consejo',
  important: 'Importante',
  warning: 'Advertencia',
  caution: 'Precaución',
  toDo: 'Pendiente',
  done: 'Hecho',
  notes: 'Notas',
  backToText: 'Volver al texto',
  cover: 'Cubierta',
  contents: 'Índice',
  untitled: 'Sin título',
};
