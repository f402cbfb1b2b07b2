package dev.kudu4j.tablet.rowset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.file.BlockLocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class KeyIndexTest {
  /**
   * Short keys, and long keys with common prefixes, some of which continue with zeros where a
   * shorter key ends.
   */
  @Provide
  Arbitrary<byte[]> keys() {
    return Arbitraries.bytes().between((byte) -1, (byte) 1).array(byte[].class).ofMaxSize(11);
  }

  @Property(tries = 500)
  void aKeyIsInThePageOfTheLastSeparatorThatIsNotAboveIt(
      @ForAll @Size(max = 20) List<@From("keys") byte[]> separators, @ForAll("keys") byte[] key) {
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    sorted.add(new byte[0]);
    sorted.addAll(separators);
    List<KeyIndex.Page> pages = new ArrayList<>();
    for (byte[] separator : sorted) {
      pages.add(new KeyIndex.Page(new BlockLocation(0, 1), 1, separator));
    }
    KeyIndex index = new KeyIndex(new byte[0], new byte[] {-1}, pages, List.of());
    byte[] surrounded = new byte[key.length + 5];
    Arrays.fill(surrounded, (byte) 7);
    System.arraycopy(key, 0, surrounded, 3, key.length);
    assertThat(index.pageOf(surrounded, 3, key.length))
        .isEqualTo(sorted.headSet(key, true).size() - 1);
  }
}
