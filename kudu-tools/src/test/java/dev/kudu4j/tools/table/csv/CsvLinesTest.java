package dev.kudu4j.tools.table.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvLinesTest {
  private static List<CsvLine> read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<CsvLine> read(byte[] bytes) throws IOException {
    try (CsvLines lines = CsvLines.of(new ByteArrayInputStream(bytes), ',')) {
      return all(lines);
    }
  }

  private static List<CsvLine> all(CsvLines lines) throws IOException {
    List<CsvLine> all = new ArrayList<>();
    for (CsvLine line = lines.next(); line != null; line = lines.next()) {
      all.add(line);
    }
    return all;
  }

  private static CsvLine line(long number, String... cells) {
    return new CsvLine(number, Arrays.asList(cells), null);
  }

  @Test
  void cellsDistinguishNullFromEmpty() throws IOException {
    assertThat(read("a,\"\",,\"x \"\"y\"\"\"\n"))
        .containsExactly(line(1, "a", "", null, "x \"y\""));
  }

  @Test
  void linesKeepTheirNumbers() throws IOException {
    assertThat(read("a,b\n1,\"two\nlines\"\n\n\n2,x\r\n3,y"))
        .containsExactly(
            line(1, "a", "b"), line(2, "1", "two\nlines"), line(6, "2", "x"), line(7, "3", "y"));
  }

  @Test
  void anInvalidLineDoesNotAffectTheNext() throws IOException {
    List<CsvLine> lines = read("a,b\n1,\"x\"y,z\n2,ok\n");
    assertThat(lines).hasSize(3);
    assertThat(lines.get(1).number()).isEqualTo(2);
    assertThat(lines.get(1).problem()).contains("after a closing quote");
    assertThat(lines.get(2)).isEqualTo(line(3, "2", "ok"));
  }

  @Test
  void anUnclosedQuoteIsReportedOnce() throws IOException {
    List<CsvLine> lines = read("a\n1\n\"x\n2\n3\n");
    assertThat(lines).hasSize(3);
    assertThat(lines.get(2).number()).isEqualTo(3);
    assertThat(lines.get(2).problem()).contains("not closed");
  }

  @Test
  void bytesThatAreNotUtf8AreReportedAndAByteOrderMarkIsDropped() throws IOException {
    List<CsvLine> lines = read("\uFEFFa\nx\u00ff\n".getBytes(StandardCharsets.UTF_8));
    assertThat(lines.get(0)).isEqualTo(line(1, "a"));
    assertThat(lines.get(1)).isEqualTo(line(2, "x\u00ff"));
    assertThat(read(new byte[] {'a', '\n', 'x', (byte) 0xff, '\n'}).get(1).problem())
        .contains("not UTF-8");
  }

  @Test
  void gzipIsUnpackedAndBytesAreCounted(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("x.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("a\n1\n".getBytes(StandardCharsets.UTF_8));
    }
    try (CsvLines lines = CsvLines.open(file, ',')) {
      assertThat(all(lines)).containsExactly(line(1, "a"), line(2, "1"));
      assertThat(lines.bytesRead()).isEqualTo(lines.totalBytes()).isEqualTo(Files.size(file));
    }
  }
}
