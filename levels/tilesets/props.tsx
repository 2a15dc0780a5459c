<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="props" tilewidth="100" tileheight="100" tilecount="33" columns="0" objectalignment="center">
 <grid orientation="orthogonal" width="1" height="1"/>
 <tile id="0" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="chest"/>
  </properties>
  <image source="props/chest.png" width="30" height="24"/>
 </tile>
 <tile id="1" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="winch"/>
  </properties>
  <image source="props/winch.png" width="56" height="34"/>
 </tile>
 <tile id="2" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="lever"/>
  </properties>
  <image source="props/lever.png" width="28" height="34"/>
 </tile>
 <tile id="3" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="barrel"/>
  </properties>
  <image source="props/barrel.png" width="24" height="24"/>
 </tile>
 <tile id="4" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="crate"/>
  </properties>
  <image source="props/crate.png" width="28" height="28"/>
 </tile>
 <tile id="5" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="cart"/>
  </properties>
  <image source="props/cart.png" width="92" height="42"/>
 </tile>
 <tile id="6" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="rock"/>
  </properties>
  <image source="props/rock.png" width="28" height="26"/>
 </tile>
 <tile id="7" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="house"/>
  </properties>
  <image source="props/house.png" width="96" height="64"/>
 </tile>
 <tile id="8" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="barn"/>
  </properties>
  <image source="props/barn.png" width="96" height="64"/>
 </tile>
 <tile id="9" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="tower"/>
  </properties>
  <image source="props/tower.png" width="100" height="100"/>
 </tile>
 <tile id="10" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="tent"/>
  </properties>
  <image source="props/tent.png" width="72" height="52"/>
 </tile>
 <tile id="11" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="lamp"/>
  </properties>
  <image source="props/lamp.png" width="24" height="24"/>
 </tile>
 <tile id="12" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="fire"/>
  </properties>
  <image source="props/fire.png" width="30" height="30"/>
 </tile>
 <tile id="13" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="flag"/>
  </properties>
  <image source="props/flag.png" width="64" height="26"/>
 </tile>
 <tile id="14" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="haystack"/>
  </properties>
  <image source="props/haystack.png" width="34" height="34"/>
 </tile>
 <tile id="15" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="well"/>
  </properties>
  <image source="props/well.png" width="34" height="34"/>
 </tile>
 <tile id="16" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="fence"/>
  </properties>
  <image source="props/fence.png" width="32" height="14"/>
 </tile>
 <tile id="17" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="bush"/>
  </properties>
  <image source="props/bush.png" width="36" height="34"/>
 </tile>
 <tile id="18" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="log"/>
  </properties>
  <image source="props/log.png" width="70" height="36"/>
 </tile>
 <tile id="19" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="stump"/>
  </properties>
  <image source="props/stump.png" width="24" height="24"/>
 </tile>
 <tile id="20" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="sacks"/>
  </properties>
  <image source="props/sacks.png" width="36" height="32"/>
 </tile>
 <tile id="21" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="boat"/>
  </properties>
  <image source="props/boat.png" width="70" height="28"/>
 </tile>
 <tile id="22" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="cannon"/>
  </properties>
  <image source="props/cannon.png" width="60" height="32"/>
 </tile>
 <tile id="23" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="table"/>
  </properties>
  <image source="props/table.png" width="46" height="24"/>
 </tile>
 <tile id="24" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="bench"/>
  </properties>
  <image source="props/bench.png" width="32" height="12"/>
 </tile>
 <tile id="25" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="bed"/>
  </properties>
  <image source="props/bed.png" width="58" height="32"/>
 </tile>
 <tile id="26" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="generator"/>
  </properties>
  <image source="props/generator.png" width="54" height="38"/>
 </tile>
 <tile id="27" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="vent"/>
  </properties>
  <image source="props/vent.png" width="28" height="24"/>
 </tile>
 <tile id="28" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="grille"/>
  </properties>
  <image source="props/grille.png" width="38" height="16"/>
 </tile>
 <tile id="29" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="kennel"/>
  </properties>
  <image source="props/kennel.png" width="62" height="36"/>
 </tile>
 <tile id="30" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="coal"/>
  </properties>
  <image source="props/coal.png" width="36" height="34"/>
 </tile>
 <tile id="31" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="sign"/>
  </properties>
  <image source="props/sign.png" width="44" height="44"/>
 </tile>
 <tile id="32" type="prop">
  <properties>
   <property name="kind" propertytype="prop_kind" value="stack"/>
  </properties>
  <image source="props/stack.png" width="40" height="40"/>
 </tile>
</tileset>
