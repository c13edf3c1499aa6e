import { formatsIn } from '../formats.ts';
import { answerSentences } from '../answers.ts';
import type { Words } from '../words.ts';
import { browser } from './browser.ts';

const f = formatsIn('es-ES');

export const reading: Words['reading'] = {
  search: 'Buscar',
  ask: 'Preguntar',
  contents: 'Índice',
  printHint: 'El libro completo en una página: imprímalo o guárdelo como PDF con su navegador.',
  lookThrough: 'Ver el índice',
  back: 'Volver al libro',
  allChapters: ({ count }) => `Los ${f.number(count)} capítulos`,
  minutes: ({ hours, rest }) => {
    if (hours === 0) return `${rest} min`;
    return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  },
  chapter: {
    bought: (link) => ['Ya es suyo. ', link('Descárguelo, regálelo o elija una contraseña'), '.'],
    wasAt: ({ place, isDevice }) => [
      isDevice ? 'En KOReader iba usted por ' : 'En el navegador iba usted por ',
      place,
      '.',
    ],
    changed: 'Este texto ha cambiado desde que se citó; por eso el pasaje no está marcado.',
    sampleEnds: 'Aquí termina la muestra',
    position: ({ isBook, at, count }) =>
      `${isBook ? 'Capítulo' : 'Texto'} ${f.number(at)} de ${f.number(count)}`,
    through: ({ percent }) => `${percent}\u00a0% leído`,
    left: ({ time }) => `${time} hasta el final`,
    chapters: 'Capítulos',
    previous: 'Página anterior',
    next: 'Página siguiente',
    part: ({ number, count }) => `Parte ${f.number(number)} de ${f.number(count)}`,
    refunded: 'Su pedido se reembolsó y ya no da acceso a este texto',
    closed: ({ isBook }) => (isBook ? 'Este capítulo viene con el libro' : 'Este texto viene con la skill'),
    openToAll: 'Lectura libre',
    tooLong: ({ size }) => `Este texto ocupa ${size}, demasiado para una página.`,
    openFile: 'Abrir el archivo',
    whole({ isBook, count, time, price, timed }) {
      const facts = [
        ...(count > 1 ? [`${f.number(count)} ${isBook ? 'capítulos' : 'textos'}`] : []),
        ...(time === null ? [] : [timed(`${time} de lectura`)]),
      ];
      return [
        isBook ? 'El libro completo: ' : 'La skill completa: ',
        ...facts.flatMap((fact, n) => (n === 0 ? [fact] : [', ', fact])),
        ...(price === null ? [] : [facts.length === 0 ? '' : ', por ', price]),
        '.',
      ];
    },
    signIn: '¿Ya lo tiene? Inicie sesión',
  },
  offline: {
    title: 'Guardados para leer sin conexión',
    lead: 'Estos libros se abren en este dispositivo sin conexión.',
    keep: ({ size }: { size: string }) => `Guardar para leer sin conexión (unos ${size})`,
    keeping: 'Se está guardando el libro…',
    kept: 'Guardado en este dispositivo.',
    all: 'Todos los libros guardados',
    remove: 'Quitar de este dispositivo',
    none: 'Este dispositivo no guarda ningún libro.',
    full: 'En este dispositivo no hay espacio suficiente para el libro. No se ha guardado nada.',
    failed: 'El libro no se ha podido guardar en este momento. No se ha guardado nada; inténtelo de nuevo.',
    ends: 'Se quitan cuando usted cierra la sesión aquí, cuando otra persona inicia sesión, cuando ya no puede leer un libro y tras 30 días sin que este dispositivo se haya conectado a la tienda.',
    safari: 'Safari puede eliminarlos si pasan siete días sin que usted abra este sitio.',
  },
  find: {
    inBook: 'Buscar en este libro',
    everywhere: 'Buscar en títulos y textos',
    title: ({ title }) => `Buscar en «${title}»`,
    heading: ({ title }) => ['Buscar en «', title, '»'],
    none: ({ words, isWhole }) =>
      isWhole
        ? `No hay resultados para «${words}» en este libro. Pruebe con menos palabras o con otras.`
        : `No hay resultados para «${words}» en la muestra. Pruebe con menos palabras o con otras.`,
    found: ({ count, isAll, isWhole }) => {
      const all = f.plural(count, { one: '1 pasaje', other: `${f.number(count)} pasajes` });
      const found = isAll ? all : `Los ${f.number(count)} mejores pasajes`;
      return isWhole
        ? `${found}.`
        : `${found}, solo de la muestra. Quienes tienen el libro pueden buscar en todo el texto.`;
    },
  },
  answer: {
    answer: 'Respuesta',
    title: ({ title }) => `Preguntar a «${title}»`,
    heading: ({ title }) => ['Preguntar a «', title, '»'],
    form: 'Preguntar al libro',
    question: 'Su pregunta',
    hint: 'La pregunta no se guarda.',
    hintLater: 'La pregunta no se guarda. Puede referirse a las respuestas anteriores.',
    somethingElse: 'Preguntar otra cosa',
    samples: 'O elija una de estas preguntas:',
    about: ({ words }) => `«${words}» `,
    addQuestion: 'Añada su pregunta sobre estas palabras.',
    typeFirst: 'Escriba primero una pregunta.',
    tooLong: ({ most }) => `La pregunta tiene más de ${f.number(most)} caracteres: acórtela.`,
    sentBefore: 'Esta pregunta ya se envió. Vuelva a hacerla si desea otra respuesta.',
    writing: 'Escribiendo la respuesta…',
    weak: answerSentences('es').weak,
    passage: ({ number }) => `Pasaje ${number}`,
    code: 'Código',
    notCovered: 'El libro no parece tratar esta pregunta.',
    untied: 'Gris: junto a esta frase no hay ninguna cita. Puede ser cierta; aquí nada lo muestra.',
    unsupported: 'Ningún pasaje del libro respalda esta respuesta.',
    declined: 'El modelo se negó a responder.',
    nearestPlace: 'El pasaje más cercano es:',
    nearest: 'Lo más cercano en el libro',
    inBook: 'En el libro',
    goOn: 'Seguir preguntando',
    again: 'Preguntar de nuevo',
    cutShort: 'La respuesta quedó incompleta.',
    found: 'Tomado del propio texto del libro, sin IA.',
    searched: 'Se ha buscado en el propio texto del libro, sin IA.',
    written: ({ model }) => `Redactado por ${model} a partir del libro; se ha comprobado cada cita.`,
    asked: ({ model }) => `Se preguntó a ${model}.`,
  },
  proof: {
    link: 'Prueba',
    title: 'Prueba de una cita',
    lead: 'Un archivo pequeño con el que alguien que no tiene el libro puede comprobar que estas palabras están en él: para quien dude de su cita, o para acompañar una reseña. No demuestra que lo que dicen sea cierto.',
    discloses:
      'El archivo muestra todas estas palabras, porque contiene fragmentos enteros del texto. La cita está en negrita.',
    take: 'Guardar la prueba',
    sendAlong: 'Envíe el archivo junto con esta dirección, donde cualquiera puede comprobarlo',
  },
  checkQuote: {
    title: 'Comprobar una cita',
    lead: '¿Le han enviado un archivo .json que prueba una cita de un libro? Elíjalo aquí. Se comprueba en su navegador y no se envía a ningún sitio.',
    file: 'La prueba',
    good: 'Estas palabras están, letra por letra, en el libro tal como se firmó con la clave de abajo.',
    facts: {
      slug: 'Libro',
      version: 'Versión',
      path: 'Archivo',
      key: 'Clave',
      signed: 'Fecha según quien firmó',
    },
    bold: 'Quien envía la prueba eligió cuáles de estas palabras van en negrita.',
    bad: 'Esta prueba no es válida: se dañó por el camino, se modificó o es inventada. Pídala de nuevo; tal como está, no demuestra nada.',
    other:
      'Esto no es un archivo de prueba, así que no se ha comprobado nada. Una prueba es el archivo .json que se obtiene con el botón «Prueba» junto a una cita.',
    unknown:
      'Este navegador no puede comprobarla: no conoce este tipo de clave, o la página no está en https. El comando de abajo sí puede.',
    meaning: 'Qué no demuestra',
    means: [
      'De quién es la clave: compárela con la que aparece bajo «Firma» en la página del libro, aquí o en otra tienda en la que confíe, o en la propia página de la editorial.',
      'Cuándo se firmó el libro: la fecha es la que dice quien firmó.',
      'Si lo que dicen las palabras es cierto, o si en su capítulo significan lo que parecen significar por sí solas.',
      'Si se puede confiar en esta página: es parte de esta tienda. El comando de abajo y el script del manual de Bookstall hacen la comprobación sin ella.',
    ],
    byCommand: 'Con el comando, sin esta tienda',
  },
  notes: {
    title: 'Notas',
    all: 'Todas las notas',
    selected: 'Palabras seleccionadas',
    acts: { highlight: 'Resaltar', note: 'Nota', link: browser.copyLink },
    askAbout: 'Preguntar sobre esto',
    keep: 'Guardar',
    below: ({ count, lost, most, link }) => [
      link(
        f.plural(count, {
          one: '1 nota en este capítulo',
          other: `${f.number(count)} notas en este capítulo`,
        }),
      ),
      lost > 0 ? `, ${f.number(lost)} sobre palabras que ya no están aquí` : '',
      most === null ? '' : `; aquí están marcadas las ${f.number(most)} primeras`,
    ],
    search: 'Buscar en sus notas',
    noMatch: ({ words }) => `Ninguna nota contiene «${words}».`,
    none: 'Aún no hay notas. Seleccione palabras en un libro que esté leyendo aquí y elija «Resaltar» o «Nota».',
    first: 'Primera página',
    next: 'Siguiente',
    closed: ({ count }) =>
      f.plural(count, {
        one: 'Hay notas sobre 1 libro que ahora no puede abrir. Se conservan y volverán a mostrarse cuando pueda abrirlo.',
        other: `Hay notas sobre ${f.number(count)} libros que ahora no puede abrir. Se conservan y volverán a mostrarse cuando pueda abrirlos.`,
      }),
    saveAll: ({ markdown, csv }) => ['Guardar todas como ', markdown('Markdown'), ' o ', csv('CSV'), '.'],
    lost: 'Estas palabras ya no están en el libro',
    readThere: 'Ver en el libro',
    edit: 'Editar o eliminar',
    note: 'Nota',
    yourNote: 'Su nota',
    hint: ({ most }) =>
      `Hasta ${f.number(most)} caracteres. Si la deja vacía, las palabras siguen resaltadas.`,
    save: 'Guardar',
    delete: 'Eliminar',
    back: 'Volver al pasaje',
  },
  reports: {
    title: 'Enviado al autor',
    send: 'Enviar al autor',
    sendHint:
      'Si la envía, la tienda leerá estas palabras del libro, su nota tal como esté entonces y su dirección. Lo conservará aunque usted elimine la nota.',
    tell: 'Avisar al autor',
    tellHint:
      'Si lo hace, la tienda leerá solo esta pregunta y su dirección. Si no pulsa este botón, no la lee nadie.',
    sent: ({ state }) => `Enviado al autor: ${state}.`,
    states: { open: 'pendiente', done: 'resuelto', declined: 'rechazado' },
    answer: ({ answer }) => `Respuesta: ${answer}`,
  },
};
