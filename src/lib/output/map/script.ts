/** Script of the page. Its hash is in the page's policy; it holds no text of others. */
export const SCRIPT = `
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const buttons = all('li button');
  const markers = all('.marker');
  const status = document.getElementById('status');
  const numbersOf = (element) => (element.dataset.points || element.dataset.point).split(' ');
  const item = (number) => document.getElementById('point-' + number);
  const isOf = (element, number) => numbersOf(element).includes(number);
  let picked;

  const pick = (number, scroll) => {
    picked = number;
    for (const one of [...buttons, ...markers]) one.setAttribute('aria-pressed', String(isOf(one, number)));
    for (const one of all('li')) one.classList.toggle('picked', one.id === 'point-' + number);
    status.textContent = number && item(number) ? item(number).dataset.said : '';
    if (scroll && item(number)) item(number).scrollIntoView({ block: 'nearest' });
  };
  const heat = (numbers) => {
    for (const one of markers) one.classList.toggle('hot', numbers.some((number) => isOf(one, number)));
    for (const one of buttons) one.closest('li').classList.toggle('hot', numbers.includes(one.dataset.point));
  };

  const press = (element) => {
    const numbers = numbersOf(element);
    // A sign for several points shows the next one each time.
    const next = numbers[(numbers.indexOf(picked) + 1) % numbers.length];
    if (element.dataset.point) pick(picked === next ? '' : next, false);
    else pick(next, true);
  };
  const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  const target = (items, from, key) => {
    if (key === 'Home') return items[0];
    if (key === 'End') return items[items.length - 1];
    return key in steps ? items[from + steps[key]] : undefined;
  };
  // One stop of the tab key for each group, and the link of that item; the arrows go on from there.
  const rove = (items) => {
    const stop = (at) => items.forEach((one) => {
      const link = one.closest('li')?.querySelector('a');
      for (const each of link ? [one, link] : [one]) each.tabIndex = one === at ? 0 : -1;
    });
    if (items.length > 0) stop(items[0]);
    items.forEach((one, index) => {
      one.addEventListener('focus', () => { stop(one); heat(numbersOf(one)); });
      one.addEventListener('blur', () => heat([]));
      one.addEventListener('click', () => press(one));
      one.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const next = target(items, index, event.key);
        if (next) next.focus();
        else if (event.key === 'Escape') pick('', false);
        else if ((event.key === 'Enter' || event.key === ' ') && one.dataset.points) press(one);
        else return;
        event.preventDefault();
      });
    });
  };
  rove(markers);
  rove(buttons);
  for (const one of markers) {
    one.addEventListener('mouseenter', () => heat(numbersOf(one)));
    one.addEventListener('mouseleave', () => heat([]));
  }
  for (const one of all('li')) {
    one.addEventListener('mouseenter', () => heat([one.id.slice(6)]));
    one.addEventListener('mouseleave', () => heat([]));
  }
})();
`
