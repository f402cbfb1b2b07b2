package dev.kudu4j.itest.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * The tables in one process, correct or with one kind of occasional fault. Shared by the stores of
 * several workers; every call holds the lock of all.
 */
final class MemoryStore {
  /** The faults that a store may have. */
  enum Lie {
    NONE,
    LOSES_WRITES,
    INSERTS_TWICE,
    ADDS_ROWS,
    SPLITS_REQUESTS,
    REWRITES_HISTORY,
    REPEATS_CHANGES,
    FORGETS_DELETES,
    SPLITS_TRANSACTIONS,
    COMMITS_REFUSED,
    READS_STALE,
    SKIPS_CHANGES,
    SHOWS_CHANGES_TWICE,
    FORGETS_SESSIONS,
    FORGETS_TABLES,
    FORGETS_COLUMNS,
    KEEPS_TABLES
  }

  /**
   * Every write of a row, with the timestamp of its request.
   *
   * @param row null if it was deleted
   */
  private record Version(long timestamp, long key, Row row) {}

  private final Lie lie;
  private final Random random = new Random(5);
  private final Map<String, List<Version>> tables = new HashMap<>();
  private final Map<String, Long> committed = new HashMap<>();
  private final MemoryCatalog catalog = new MemoryCatalog(this);
  private long clock = 1;

  MemoryStore(Lie lie) {
    this.lie = lie;
  }

  /** The view of one client. */
  Store client() {
    return new Client();
  }

  boolean lies(Lie kind) {
    return kind != Lie.NONE && lie == kind && random.nextInt(10) == 0;
  }

  /**
   * Whether a request is rejected or gets no response, which happens occasionally and is no fault.
   */
  boolean sometimes() {
    return random.nextInt(20) == 0;
  }

  void newTable(String table) {
    tables.put(table, new ArrayList<>());
  }

  void renameTable(String table, String name) {
    List<Version> versions = tables.remove(table);
    tables.put(name, versions == null ? new ArrayList<>() : versions);
  }

  private final class Client implements Store {
    private long lastTimestamp;

    @Override
    public void create(String table, int tabletCount) {
      newTable(table);
    }

    @Override
    public Catalog catalog() {
      return catalog;
    }

    @Override
    public List<Outcome> insert(String table, List<Row> rows) {
      synchronized (MemoryStore.this) {
        List<Outcome> outcomes = new ArrayList<>();
        Map<Long, Row> before = rowsAt(table, clock + 1);
        for (Row row : rows) {
          outcomes.add(
              before.containsKey(row.key()) || lies(Lie.INSERTS_TWICE)
                  ? Outcome.PRESENT
                  : Outcome.DONE);
        }
        write(table, rows.stream().filter(row -> !before.containsKey(row.key())).toList());
        if (lies(Lie.ADDS_ROWS)) {
          write(table, List.of(new Row(-7, 0, 0)));
        }
        return outcomes;
      }
    }

    @Override
    public Outcome upsert(String table, List<Row> rows) {
      synchronized (MemoryStore.this) {
        return answered(() -> write(table, rows));
      }
    }

    @Override
    public Outcome update(String table, long key, long value) {
      synchronized (MemoryStore.this) {
        Row before = rowsAt(table, clock + 1).get(key);
        return before == null
            ? Outcome.ABSENT
            : answered(() -> write(table, List.of(new Row(key, value, before.mark()))));
      }
    }

    @Override
    public Outcome delete(String table, long key) {
      synchronized (MemoryStore.this) {
        if (!rowsAt(table, clock + 1).containsKey(key)) {
          return Outcome.ABSENT;
        }
        return answered(
            () -> {
              if (!lies(Lie.FORGETS_DELETES)) {
                add(table, new Version(++clock, key, null));
                lastTimestamp = clock;
              }
            });
      }
    }

    @Override
    public Outcome transact(Map<String, List<Row>> changes) {
      synchronized (MemoryStore.this) {
        if (sometimes()) {
          if (lies(Lie.COMMITS_REFUSED)) {
            writeTogether(changes);
          }
          return Outcome.REFUSED;
        }
        return answered(() -> writeTogether(changes));
      }
    }

    @Override
    public long commitNext(String producer, LongFunction<Map<String, List<Row>>> rows)
        throws Unavailable {
      synchronized (MemoryStore.this) {
        long number = committed.getOrDefault(producer, 0L) + 1;
        Outcome outcome =
            answered(
                () -> {
                  writeTogether(rows.apply(number));
                  committed.put(producer, lies(Lie.REPEATS_CHANGES) ? number - 1 : number);
                });
        if (outcome != Outcome.DONE) {
          throw new Unavailable(new IOException("no answer"));
        }
        return number;
      }
    }

    private void writeTogether(Map<String, List<Row>> changes) {
      if (lies(Lie.LOSES_WRITES)) {
        return;
      }
      clock++;
      changes.forEach(
          (table, rows) -> {
            clock += lies(Lie.SPLITS_TRANSACTIONS) ? 1 : 0;
            rows.forEach(row -> add(table, new Version(clock, row.key(), row)));
          });
      lastTimestamp = clock;
    }

    private Outcome answered(Runnable change) {
      boolean answers = !sometimes();
      if (answers || random.nextBoolean()) {
        change.run();
      }
      return answers ? Outcome.DONE : Outcome.UNKNOWN;
    }

    private void write(String table, List<Row> rows) {
      if (lies(Lie.LOSES_WRITES)) {
        return;
      }
      clock++;
      for (Row row : rows) {
        clock += lies(Lie.SPLITS_REQUESTS) ? 1 : 0;
        long timestamp = lies(Lie.REWRITES_HISTORY) ? clock / 2 : clock;
        add(table, new Version(timestamp, row.key(), row));
      }
      lastTimestamp = lie == Lie.SPLITS_REQUESTS ? clock - 1 : clock;
      if (lies(Lie.REPEATS_CHANGES)) {
        repeatOne(table);
      }
    }

    private void repeatOne(String table) {
      List<Version> versions = tables.get(table);
      Version old = versions.get(random.nextInt(versions.size()));
      add(table, new Version(++clock, old.key(), old.row()));
    }

    private void add(String table, Version version) {
      tables.computeIfAbsent(table, t -> new ArrayList<>()).add(version);
    }

    @Override
    public List<Row> read(Reading reading) {
      synchronized (MemoryStore.this) {
        boolean stale =
            (reading.where() == Reading.Where.LEADER && lies(Lie.READS_STALE))
                || (reading.where() == Reading.Where.ANY_OF_SESSION && lies(Lie.FORGETS_SESSIONS));
        LongFunction<Map<Long, Row>> at = timestamp -> rowsAt(reading.table(), timestamp);
        Map<Long, Row> rows =
            reading.timestamp() != Reading.NOW
                ? at.apply(reading.timestamp())
                : at.apply(stale ? clock / 2 : clock + 1);
        lastTimestamp = clock;
        return rows.values().stream()
            .filter(row -> reading.key() == Reading.ALL || reading.key() == row.key())
            .toList();
      }
    }

    @Override
    public Changes follow(String table, String position, boolean toNow) {
      synchronized (MemoryStore.this) {
        long from = position.isEmpty() ? 0 : Long.parseLong(position);
        List<Change> changes = new ArrayList<>();
        for (long time = from; time <= clock; time++) {
          Map<Long, Row> before = rowsAt(table, time);
          Map<Long, Row> after = rowsAt(table, time + 1);
          Set<Long> keys = new TreeSet<>(before.keySet());
          keys.addAll(after.keySet());
          for (long key : keys) {
            if (!Objects.equals(before.get(key), after.get(key)) && !lies(Lie.SKIPS_CHANGES)) {
              changes.add(new Change(before.get(key), after.get(key)));
              if (lies(Lie.SHOWS_CHANGES_TWICE)) {
                changes.add(new Change(before.get(key), after.get(key)));
              }
            }
          }
        }
        return new Changes(changes, Long.toString(clock + 1));
      }
    }

    private Map<Long, Row> rowsAt(String table, long timestamp) {
      Map<Long, Row> rows = new TreeMap<>();
      for (Version version : tables.getOrDefault(table, List.of())) {
        if (version.timestamp() >= timestamp) {
          continue;
        }
        if (version.row() == null) {
          rows.remove(version.key());
        } else {
          rows.put(version.key(), version.row());
        }
      }
      return rows;
    }

    @Override
    public long lastTimestamp() {
      return lastTimestamp;
    }

    @Override
    public void close() {
      // The tables stay.
    }
  }
}
