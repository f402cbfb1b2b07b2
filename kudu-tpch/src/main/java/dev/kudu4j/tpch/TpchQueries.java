package dev.kudu4j.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The 22 queries of TPC-H, with the parameters of its validation run. */
public final class TpchQueries {
  /** Queries have the numbers from 1 to this one. */
  public static final int COUNT = 22;

  private TpchQueries() {}

  /** The SQL text of a query. Its tables have no catalog and no namespace. */
  public static String text(int number) {
    String name = String.format(Locale.ROOT, "q%02d.sql", number);
    try (InputStream in = TpchQueries.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("TPC-H has no query " + number);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
