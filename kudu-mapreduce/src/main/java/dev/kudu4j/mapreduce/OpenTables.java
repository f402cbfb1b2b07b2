package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * The tables of the writers that are open in this JVM, by name.
 *
 * <p>A task makes operations of the very table, of the very client, that its writer writes with.
 * Hadoop makes the writer, and gives a task no way to it but the configuration, which holds text.
 * So the configuration has a name, and this map, the only mutable static of the module, has the
 * table. Several tasks may share a JVM. Thread-safe.
 */
final class OpenTables {
  private static final Map<String, KuduTable> TABLES = new ConcurrentHashMap<>();
  private static final AtomicLong NUMBER = new AtomicLong();

  private OpenTables() {}

  /** The name under which it is found, until {@link #remove}. */
  static String put(TaskAttemptID task, KuduTable table) {
    String name = task + "#" + NUMBER.incrementAndGet();
    TABLES.put(name, table);
    return name;
  }

  /** Null when there is none of that name, or the name is null. */
  static KuduTable get(String name) {
    return name == null ? null : TABLES.get(name);
  }

  static void remove(String name) {
    TABLES.remove(name);
  }
}
