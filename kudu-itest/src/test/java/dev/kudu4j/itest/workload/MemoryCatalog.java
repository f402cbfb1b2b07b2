package dev.kudu4j.itest.workload;

import dev.kudu4j.itest.workload.MemoryStore.Lie;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables of a {@link MemoryStore}. Every call holds the store's lock. */
final class MemoryCatalog implements Catalog {
  private final MemoryStore store;
  private final Map<String, List<String>> columns = new TreeMap<>();

  MemoryCatalog(MemoryStore store) {
    this.store = store;
  }

  @Override
  public Fate create(String table) {
    return change(
        Lie.FORGETS_TABLES,
        () -> {
          columns.put(table, new ArrayList<>(List.of("key", "value", "mark")));
          store.newTable(table);
        });
  }

  @Override
  public Fate addColumn(String table, String column) {
    return changeOf(table, Lie.FORGETS_COLUMNS, () -> columns.get(table).add(column));
  }

  @Override
  public Fate rename(String table, String name) {
    return changeOf(
        table,
        Lie.NONE,
        () -> {
          columns.put(name, columns.remove(table));
          store.renameTable(table, name);
        });
  }

  @Override
  public Fate drop(String table) {
    return changeOf(table, Lie.KEEPS_TABLES, () -> columns.remove(table));
  }

  private Fate changeOf(String table, Lie lie, Runnable made) {
    synchronized (store) {
      return columns.containsKey(table) ? change(lie, made) : Fate.REFUSED;
    }
  }

  private Fate change(Lie lie, Runnable made) {
    synchronized (store) {
      if (store.sometimes()) {
        return Fate.REFUSED;
      }
      boolean answers = !store.sometimes();
      boolean happens = answers ? !store.lies(lie) : store.sometimes();
      if (happens) {
        made.run();
      }
      return answers ? Fate.DONE : Fate.UNKNOWN;
    }
  }

  @Override
  public List<String> tables() {
    synchronized (store) {
      return List.copyOf(columns.keySet());
    }
  }

  @Override
  public List<String> columns(String table) {
    synchronized (store) {
      return List.copyOf(columns.get(table));
    }
  }
}
