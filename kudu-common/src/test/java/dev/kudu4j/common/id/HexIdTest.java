package dev.kudu4j.common.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class HexIdTest {
  private static final String ID = "0123456789abcdef0123456789abcdef";

  @Example
  void acceptsOrdinaryIdsAndTheCatalogsId() {
    assertThat(HexId.require("tablet_id", ByteString.copyFromUtf8(ID))).isEqualTo(ID);
    assertThat(HexId.require("tablet_id", "0".repeat(32))).isEqualTo("0".repeat(32));
  }

  @Example
  void rejectsIdsThatAreOtherPaths() {
    for (String bad :
        new String[] {
          "",
          ".",
          "..",
          "../../../victim",
          "/abs/path",
          ID + "/",
          ID.substring(1),
          ID.toUpperCase(java.util.Locale.ROOT),
          "../" + ID.substring(3),
          ID.substring(1) + "\0",
          ID.substring(1) + "\uff10"
        }) {
      assertThat(HexId.isValid(bad)).as(bad).isFalse();
      assertThat(HexId.isValid(ByteString.copyFromUtf8(bad))).as(bad).isFalse();
      assertThatThrownBy(() -> HexId.require("tablet_id", ByteString.copyFromUtf8(bad)))
          .isInstanceOfSatisfying(
              KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT))
          .hasMessageStartingWith("tablet_id must be 32 lower-case hexadecimal digits, not '");
    }
  }

  @Example
  void messagesContainFewAndOnlyPrintableCharactersOfTheValue() {
    assertThatThrownBy(() -> HexId.require("uuid", "a\nERROR forged '" + "x".repeat(100_000)))
        .hasMessageContaining("'a\\u000aERROR forged \\'xxx")
        .hasMessageEndingWith("... (100016 characters)")
        .message()
        .hasSizeLessThan(200);
  }

  @Property(tries = 500)
  void anIdHasOneFormAndIsAPlainFileName(@ForAll @Size(max = 40) byte[] bytes) {
    String text = ByteString.copyFrom(bytes).toStringUtf8();
    boolean expected = text.matches("[0-9a-f]{32}");
    assertThat(HexId.isValid(text)).isEqualTo(expected);
    assertThat(HexId.isValid(ByteString.copyFrom(bytes))).isEqualTo(expected);
  }

  @Property(tries = 500)
  void shownTextIsPrintableAndShort(@ForAll String text) {
    assertThat(UntrustedText.format(text)).matches("[ -~]*").hasSizeLessThan(64 * 6 + 40);
    assertThat(UntrustedText.format(ByteString.copyFromUtf8(text)))
        .matches("[ -~]*")
        .hasSizeLessThan(64 * 6 + 40);
  }
}
