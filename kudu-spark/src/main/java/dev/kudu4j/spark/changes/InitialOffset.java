package dev.kudu4j.spark.changes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Where a stream begins: a file in its checkpoint. Spark asks for this offset each time that it
 * plans the first batch and each time that it runs it, also after a restart. For a stream that
 * begins now, every answer would be another one, and the changes between them would be lost.
 */
final class InitialOffset {
  private static final String FILE = "initial-offset";

  private final Path file;

  /**
   * @param checkpoint the directory of the source in the checkpoint of the query
   */
  InitialOffset(String checkpoint) {
    this.file = new Path(checkpoint, FILE);
  }

  /** The offset that was chosen first. */
  ChangesOffset get(Supplier<ChangesOffset> choice) {
    try {
      FileSystem files = file.getFileSystem(configuration());
      if (!files.exists(file)) {
        write(files, choice.get());
      }
      return read(files);
    } catch (IOException e) {
      throw new UncheckedIOException("The first offset of a stream, in " + file, e);
    }
  }

  /** Hadoop's settings, and those that the session has for Hadoop. */
  private static Configuration configuration() {
    SparkSession session = SparkSession.active();
    Configuration settings = new Configuration(session.sparkContext().hadoopConfiguration());
    CollectionConverters.asJava(session.conf().getAll()).forEach(settings::set);
    return settings;
  }

  /** Under another name first, so that a driver that dies leaves no half of the file. */
  private void write(FileSystem files, ChangesOffset offset) throws IOException {
    Path temporary = new Path(file.getParent(), "." + FILE + "." + UUID.randomUUID());
    try (OutputStream out = files.create(temporary, false)) {
      out.write(offset.json().getBytes(StandardCharsets.UTF_8));
    }
    if (!files.rename(temporary, file)) {
      throw new IOException("File " + temporary + " cannot be renamed to " + file);
    }
  }

  private ChangesOffset read(FileSystem files) throws IOException {
    try (InputStream in = files.open(file)) {
      return ChangesOffset.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
